import { encodeQR } from 'qr';
import { useMemo } from 'react';

/** Width of the light border in modules, as required by ISO/IEC 18004. */
const QUIET_ZONE = 4;

interface QrImageProps {
  text: string;
  /** Accessible name. */
  label: string;
}

/** QR code. It is dark on light in both themes, because not every scanner reads inverted codes. */
export default function QrImage({ text, label }: QrImageProps) {
  const modules = useMemo(() => encodeQR(text, 'raw', { ecc: 'low', border: QUIET_ZONE }), [text]);
  // Each dark module is a subpath of one square unit.
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
