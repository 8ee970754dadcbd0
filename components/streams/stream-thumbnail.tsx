'use client';

import { useState } from 'react';

/** The latest picture of a live stream, or the room for it: nothing moves when it comes. */
export function StreamThumbnail({ src }: { src: string | undefined }) {
  const [missing, setMissing] = useState<string>();
  return (
    <span className="bg-sunken block h-9 w-16 shrink-0 overflow-hidden rounded-sm border">
      {src !== undefined && src !== missing && (
        // eslint-disable-next-line @next/next/no-img-element -- from the media origin, made small already, new each time
        <img src={src} alt="" className="size-full object-cover" onError={() => setMissing(src)} />
      )}
    </span>
  );
}
