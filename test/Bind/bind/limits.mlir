// RUN: linnet-opt %s --linnet-bind="root=m::Model entries=forward generics='H=770,Heads=12,S=2000,MaxPositions=1024'" --split-input-file --verify-diagnostics

// expected-error@+1 {{[E2206] `H % Heads == 0` does not hold: H = 770, Heads = 12}}
linnet.block @"m::Model"<H: Dim, Heads: Dim, MaxPositions: Dim> where ["Heads > 0", "H % Heads == 0"] {
  linnet.func entry @forward<S: Dim>() where ["S <= MaxPositions"] {
    linnet.return
  }
}

// -----

linnet.block @"m::Model"<H: Dim, Heads: Dim, MaxPositions: Dim> {
  // expected-error@+1 {{[E2206] `S <= MaxPositions` does not hold: S = 2000, MaxPositions = 1024}}
  linnet.func entry @forward<S: Dim>() where ["S <= MaxPositions"] {
    linnet.return
  }
}

// -----

// The entry's constraint comes before those of what it contains.
linnet.block @"m::Inner"<N: Dim> where ["N > 5"] {
}
linnet.block @"m::Model"<H: Dim, Heads: Dim, MaxPositions: Dim> {
  linnet.sub_block @inner : !linnet.instance<@"m::Inner"<0>>
  // expected-error@+1 {{[E2206] `S < 7` does not hold: S = 2000}}
  linnet.func entry @forward<S: Dim>() where ["S < 7"] {
    linnet.return
  }
}

// -----

linnet.block @"m::Inner"<N: Dim> where ["N > 1000"] {
}
linnet.block @"m::Model"<H: Dim, Heads: Dim, MaxPositions: Dim> {
  // expected-error@+1 {{[E2206] `N > 1000` does not hold: N = 770}}
  linnet.sub_block @inner : !linnet.instance<@"m::Inner"<H>>
  linnet.func entry @forward<S: Dim>() {
    linnet.return
  }
}

// -----

linnet.func fn @"m::short"<N: Dim>() where ["N < 10"] {
  linnet.return
}
linnet.block @"m::Model"<H: Dim, Heads: Dim, MaxPositions: Dim> {
  linnet.func entry @forward<S: Dim>() {
    // expected-error@+1 {{[E2206] `N < 10` does not hold: N = 2000}}
    linnet.call @"m::short"<S>() : () -> ()
    linnet.return
  }
}

// -----

// A division by zero leaves a constraint unsatisfied [DIM-5].
linnet.block @"m::Model"<H: Dim, Heads: Dim, MaxPositions: Dim> {
  // expected-error@+1 {{[E2206] `H % (S - 2000) == 0` does not hold: H = 770, S = 2000}}
  linnet.func entry @forward<S: Dim>() where ["H % (S - 2000) == 0"] {
    linnet.return
  }
}

// -----

linnet.block @"m::Model"<H: Dim, Heads: Dim, MaxPositions: Dim> {
  // expected-error@+1 {{[E2208] dimension `Heads - H` is -758: H = 770, Heads = 12}}
  linnet.param @w : !linnet.tensor<[Heads - H], f32>
  linnet.func entry @forward<S: Dim>() {
    linnet.return
  }
}

// -----

// What the entry itself says comes before what it calls.
linnet.func fn @"m::zeros"<N: Dim>() -> !linnet.tensor<[N - 5000], f32> {
  %zero = linnet.constant 0 : !linnet.tensor<[], f32>
  %r = linnet.splat %zero : !linnet.tensor<[], f32> -> !linnet.tensor<[N - 5000], f32>
  linnet.return %r : !linnet.tensor<[N - 5000], f32>
}
linnet.block @"m::Model"<H: Dim, Heads: Dim, MaxPositions: Dim> {
  // expected-error@+1 {{[E2208] dimension `S - 5000` is -3000: S = 2000}}
  linnet.func entry @forward<S: Dim>() -> !linnet.tensor<[S - 5000], f32> {
    %r = linnet.call @"m::zeros"<S>() : () -> !linnet.tensor<[S - 5000], f32>
    linnet.return %r : !linnet.tensor<[S - 5000], f32>
  }
}

// -----

// expected-error@+1 {{[usage] there is no block `m::Model`; the blocks with entries are `m::Other`}}
module {
  linnet.block @"m::Other" {
    linnet.func entry @forward() {
      linnet.return
    }
  }
}

// -----

// expected-error@+1 {{[usage] there is no entry `forward` in block `m::Model`; the entries are `backward`}}
module {
  linnet.block @"m::Model"<H: Dim, Heads: Dim, S: Dim, MaxPositions: Dim> {
    linnet.func entry @backward() {
      linnet.return
    }
  }
}

// -----

// expected-error@+1 {{[usage] there is no generic `Heads`; the generics are `H`, `MaxPositions`, `S`}}
module {
  linnet.block @"m::Model"<H: Dim, MaxPositions: Dim> {
    linnet.func entry @forward<S: Dim>() {
      linnet.return
    }
  }
}

// -----

// expected-note@+2 {{give --bind Layers=VALUE}}
// expected-error@+1 {{[usage] `m::Model` needs a value for `Layers`, `T`}}
linnet.block @"m::Model"<H: Dim, Layers: Dim, Heads: Dim, MaxPositions: Dim, T: Float, U: Float = f32> {
  linnet.func entry @forward<S: Dim>() {
    linnet.return
  }
}

// -----

// expected-error@+1 {{[usage] the dtype `H` must be a scalar type such as `f32`, not `770`}}
linnet.block @"m::Model"<H: Float, Heads: Dim, MaxPositions: Dim> {
  linnet.func entry @forward<S: Dim>() {
    linnet.return
  }
}

// -----

// What is optional is decided before the run, so no branch of the run may decide it.
linnet.block @"m::Model"<H: Dim, Heads: Dim, MaxPositions: Dim> {
  linnet.func entry @forward<S: Dim>(%c: !linnet.tensor<[], i1>, %x: !linnet.tensor<[], f32>) -> !linnet.tensor<[], f32> {
    // expected-error@+1 {{[capability] whether an optional has a value, and which variant an enum is, must be known when the model is compiled; here it depends on a value of the run}}
    %o = linnet.if %c -> !linnet.optional<!linnet.tensor<[], f32>> {
      %s = linnet.some %x : !linnet.tensor<[], f32>
      linnet.yield %s : !linnet.optional<!linnet.tensor<[], f32>>
    } else {
      %n = linnet.none : !linnet.optional<!linnet.tensor<[], f32>>
      linnet.yield %n : !linnet.optional<!linnet.tensor<[], f32>>
    }
    %r = linnet.match_optional %o : !linnet.optional<!linnet.tensor<[], f32>> -> !linnet.tensor<[], f32> some {
    ^bb0(%v: !linnet.tensor<[], f32>):
      linnet.yield %v : !linnet.tensor<[], f32>
    } none {
      linnet.yield %x : !linnet.tensor<[], f32>
    }
    linnet.return %r : !linnet.tensor<[], f32>
  }
}

// -----

// Not reached from verified IR; hand-written IR may still hold it.
linnet.block @"m::Model"<H: Dim, Heads: Dim, MaxPositions: Dim> {
  linnet.func entry @forward<S: Dim>() {
    // expected-error@+1 {{[E2206] `H <= Heads` does not hold: H = 770, Heads = 12}}
    linnet.for %i = H to Heads {
      linnet.yield
    }
    linnet.return
  }
}
