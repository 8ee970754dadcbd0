import { encodeQR } from 'qr';
import { useMemo } from 'react';

/** Light modules around the code, as ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;

interface QrImageProps {
  text: string;
  /** What it leads to. */
  label: string;
}

/** Dark on light in both themes: not every reader accepts the opposite. */
export default function QrImage({ text, label }: QrImageProps) {
  const modules = useMemo(() => encodeQR(text, 'raw', { ecc: 'low', border: QUIET_ZONE }), [text]);
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      className="size-full bg-white"
    >
      <path d={path.join('')} fill="#000" />
    </svg>
  );
}
