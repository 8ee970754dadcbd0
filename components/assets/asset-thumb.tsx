'use client';

import { Film } from 'lucide-react';
import { useState } from 'react';

/** The first picture of an asset, or a still shape of the same size. Says nothing: the name stands beside it. */
export function AssetThumb({ poster }: { poster: string | null }) {
  const [missing, setMissing] = useState<string | null>(null);
  return (
    <span
      aria-hidden="true"
      className="bg-hover text-ink-3 relative grid h-9 w-16 shrink-0 place-items-center overflow-hidden rounded-sm"
    >
      <Film className="size-4" strokeWidth={1.5} />
      {poster !== null && poster !== missing && (
        // The media server is the only one that has the picture, in one size: nothing to optimise.
        // eslint-disable-next-line @next/next/no-img-element
        <img
          src={poster}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setMissing(poster)}
          className="absolute inset-0 size-full bg-black object-cover"
        />
      )}
    </span>
  );
}
