"""Operations at their places in the source, with the claims they carry."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import final

from linnet.checker import Claim, Require, Struct
from linnet.emit._types import TypeTable
from linnet.mlir import ir
from linnet.source import SourceFile, Span


@final
class Builder:
    """Appends operations to the current block."""

    def __init__(self, context: ir.Context, structs: Mapping[str, Struct]) -> None:
        self.context = context
        self.structs = structs
        self.table = TypeTable(context, structs)
        self.claims: dict[int, Claim] = {}
        self._numbers: dict[int, int] = {}
        self._unknown = ir.Location.unknown(context)
        self._places: dict[tuple[SourceFile, int, int], ir.Location] = {}
        self._point: ir.InsertionPoint | None = None

    @property
    def block(self) -> ir.Block:
        """The block that operations are appended to."""
        assert self._point is not None
        return self._point.block

    @block.setter
    def block(self, block: ir.Block) -> None:
        self._point = ir.InsertionPoint(block)

    @contextmanager
    def inside(self, block: ir.Block) -> Generator[None]:
        """Append to another block for a while."""
        kept, self._point = self._point, ir.InsertionPoint(block)
        try:
            yield
        finally:
            self._point = kept

    def region(
        self, op: ir.Operation, index: int, types: Sequence[ir.Type], places: Sequence[Span]
    ) -> tuple[ir.Block, list[ir.Value]]:
        """Give a region of an operation its block, and the block its arguments."""
        locations = [self.location(place) for place in places]
        # The stub of MLIR leaves the arguments of `append` open.
        block = op.regions[index].blocks.append(  # pyright: ignore[reportUnknownMemberType]
            *types, arg_locs=locations
        )
        return block, list(block.arguments)

    def location(self, span: Span | None) -> ir.Location:
        """The place of a span, columns counted in code points from 1."""
        if span is None:
            return self._unknown
        key = (span.file, span.start, span.end)
        known = self._places.get(key)
        if known is None:
            line, column = span.file.line_column(span.start)
            end_line, end_column = span.file.line_column(span.end)
            known = self._places[key] = ir.Location.file(
                span.file.utf8_path, line, column, end_line, end_column, self.context
            )
        return known

    def op(
        self,
        name: str,
        span: Span | None,
        operands: Sequence[ir.Value] = (),
        results: Sequence[ir.Type] = (),
        attributes: Mapping[str, ir.Attribute] | None = None,
        *,
        regions: int = 0,
        claim: Claim | None = None,
    ) -> ir.Operation:
        """Append an operation."""
        given = dict(attributes or {})
        if claim is not None:
            # One record may word what several operations claim.
            number = self._numbers.setdefault(id(claim), len(self.claims))
            self.claims[number] = claim
            given["linnet.claim"] = self.table.number(number)
        # The stub of MLIR leaves the successors of `create` open.
        op = ir.Operation.create(  # pyright: ignore[reportUnknownMemberType]
            name,
            results=list(results),
            operands=list(operands),
            attributes=given,
            regions=regions,
            loc=self.location(span),
            ip=self._point,
        )
        return op.operation

    def value(
        self,
        name: str,
        span: Span,
        operands: Sequence[ir.Value],
        result: ir.Type,
        attributes: Mapping[str, ir.Attribute] | None = None,
        *,
        claim: Claim | None = None,
    ) -> ir.Value:
        """Append an operation with one result and no regions, and give the result."""
        return self.op(name, span, operands, (result,), attributes, claim=claim).results[0]

    def name(self, value: ir.Value, name: str) -> None:
        """Note what the source calls a value, at the operation that gives it."""
        if isinstance(value, ir.OpResult):
            owner = value.owner.operation
            if len(owner.results) == 1:
                self.name_results(owner, [name])

    def name_results(self, op: ir.Operation, names: Sequence[str]) -> None:
        """Note what the source calls the results of an operation; the first names stay."""
        place = op.location
        if not place.is_a_name():
            op.location = ir.Location.name(",".join(names), place, self.context)

    def require(self, require: Require) -> None:
        """Append an explicit claim."""
        attributes = {
            "constraint": self.table.constraint(require.constraint),
            "code": self.table.string(require.code),
        }
        self.op("linnet.require", require.span, attributes=attributes, claim=require.claim)
