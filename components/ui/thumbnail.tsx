'use client';

import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { cn } from './class-names';

interface ThumbnailProps {
  /** Address of the picture; undefined while there is none. */
  src: string | undefined;
  /** Shown without an image. */
  icon: LucideIcon;
}

/** A small picture beside a name, or the room for it: nothing moves when it comes. Says nothing itself. */
export function Thumbnail({ src, icon: Icon }: ThumbnailProps) {
  return (
    <span
      aria-hidden="true"
      className="bg-hover text-ink-3 relative grid h-9 w-16 shrink-0 place-items-center overflow-hidden rounded-sm"
    >
      <Icon className="size-4" strokeWidth={1.5} />
      <Image src={src} className="object-cover" />
    </span>
  );
}

/** A picture that fills the width of its place, 16:9. Says nothing itself. */
export function Picture({ src, icon: Icon }: ThumbnailProps) {
  return (
    <div
      aria-hidden="true"
      className="bg-hover text-ink-3 relative grid aspect-video place-items-center overflow-hidden"
    >
      <Icon className="size-6" strokeWidth={1.5} />
      <Image src={src} className="object-contain" />
    </div>
  );
}

/** Covers the icon once it is there; an address without a picture leaves the icon. */
function Image({ src, className }: Pick<ThumbnailProps, 'src'> & { className: string }) {
  const [missing, setMissing] = useState<string>();
  if (src === undefined || src === missing) return null;
  return (
    // eslint-disable-next-line @next/next/no-img-element -- from the media server, made small already
    <img
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setMissing(src)}
      className={cn('absolute inset-0 size-full bg-black', className)}
    />
  );
}
