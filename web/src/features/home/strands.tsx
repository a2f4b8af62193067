/** Widths are in px, about in proportion to the amounts of the five sales; phones keep the geometry, thinner. */
const drawings = {
  wide: { box: 96, margin: 14, gap: 3, radius: 26, strands: [11.5, 13, 3, 4, 3], shown: "max-sm:invisible" },
  narrow: { box: 56, margin: 11, gap: 2, radius: 26, strands: [7.5, 8, 2, 2.5, 2], shown: "sm:invisible" },
};

const firstRow = 28;
const rowToRow = 64;
const mouth = 356;
const copper = 1;
const returned = 4;

/** One strand per sale, from its row into the payout below: side by side, never crossing, the traced one drawing itself once. */
export function Strands({ width }: { width: keyof typeof drawings }) {
  const { box, margin, gap, radius, strands, shown } = drawings[width];
  return (
    <svg
      width={box}
      height={mouth}
      viewBox={`0 0 ${box} ${mouth}`}
      fill="none"
      aria-hidden="true"
      className={`pointer-events-none absolute top-0 right-0 ${shown}`}
    >
      {strands.map((stroke, row) => {
        const taken = strands.slice(0, row).reduce((sum, earlier) => sum + earlier + gap, margin);
        const x = box - taken - stroke / 2;
        const y = firstRow + row * rowToRow;
        const bend = Math.min(radius, x);
        return (
          <path
            key={y}
            d={`M0 ${y}H${x - bend}a${bend} ${bend} 0 0 1 ${bend} ${bend}V${mouth}`}
            strokeWidth={stroke}
            className={
              row === copper ? "animate-trace stroke-cent-mark [stroke-dasharray:1]" : "stroke-river"
            }
            {...(row === copper && { pathLength: 1 })}
            {...(row === returned && { strokeDasharray: "3 3" })}
          />
        );
      })}
    </svg>
  );
}
