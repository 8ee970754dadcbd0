'use client';

import { Radio } from 'lucide-react';
import { useState } from 'react';

/** The latest picture of a live stream, or the room for it: nothing moves when it comes. */
export function StreamThumbnail({ src }: { src: string | undefined }) {
  const [missing, setMissing] = useState<string>();
  return (
    <span className="bg-hover text-ink-3 relative grid h-9 w-16 shrink-0 place-items-center overflow-hidden rounded-sm">
      <Radio aria-hidden="true" className="size-4" strokeWidth={1.5} />
      {src !== undefined && src !== missing && (
        // eslint-disable-next-line @next/next/no-img-element -- from the media origin, made small already, new each time
        <img
          src={src}
          alt=""
          className="absolute inset-0 size-full bg-black object-cover"
          onError={() => setMissing(src)}
        />
      )}
    </span>
  );
}
