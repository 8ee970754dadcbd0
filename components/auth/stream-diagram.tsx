/** Curves of the three inputs and their heights at the left edge, in coordinates of the `viewBox`. */
const inputCurves = [
  { y: 60, path: 'M0 60 C 190 60 200 200 330 200' },
  { y: 200, path: 'M0 200 H 330' },
  { y: 340, path: 'M0 340 C 190 340 200 200 330 200' },
] as const;

interface StreamDiagramProps {
  /** Labels from top to bottom. */
  inputs: readonly [string, string, string];
  stream: string;
}

/** The logo as a large diagram: three inputs become one stream. */
export function StreamDiagram({ inputs: labels, stream }: StreamDiagramProps) {
  return (
    <svg viewBox="0 0 640 400" fill="none" aria-hidden="true" className="w-full max-w-2xl">
      <g className="text-accent" stroke="currentColor" strokeWidth="2">
        {inputCurves.map((curve) => (
          <path key={curve.y} d={curve.path} />
        ))}
        <path d="M330 200 H 640" strokeWidth="6" />
      </g>
      <g className="fill-ink-2 font-mono" fontSize="13">
        {inputCurves.map((curve, index) => (
          <text key={curve.y} x="8" y={curve.y - 12}>
            {labels[index]}
          </text>
        ))}
        <text x="632" y="184" textAnchor="end">
          {stream}
        </text>
      </g>
      <g className="fill-accent">
        {[420, 480, 540, 600].map((x) => (
          <rect key={x} x={x} y="212" width="1.5" height="10" />
        ))}
      </g>
      <g className="fill-ink-3 font-mono" fontSize="11" textAnchor="middle">
        {[420, 480, 540, 600].map((x, index) => (
          <text key={x} x={x} y="238">
            {`${index * 2}s`}
          </text>
        ))}
      </g>
    </svg>
  );
}
