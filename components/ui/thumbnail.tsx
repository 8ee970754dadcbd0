'use client';

import type { LucideIcon } from 'lucide-react';
import { type PointerEvent, useState } from 'react';
import { cn } from './class-names';

interface ThumbnailProps {
  /** URL of the picture; undefined while there is none. */
  src: string | undefined;
  /** Animated preview, shown while the pointer is over the picture. */
  animated?: string | undefined;
  /** Icon shown without a picture. */
  icon: LucideIcon;
}

/** A small decorative picture beside a name, or a placeholder of its size. */
export function Thumbnail({ src, animated, icon: Icon }: ThumbnailProps) {
  const { pointed: isPointed, pointing } = usePointed();
  return (
    <span
      aria-hidden="true"
      {...pointing}
      className="bg-hover text-ink-3 relative grid h-9 w-16 shrink-0 place-items-center overflow-hidden rounded-sm"
    >
      <Icon className="size-4" strokeWidth={1.5} />
      <Image src={src} className="object-cover" />
      {isPointed && <Image src={animated} className="bg-transparent object-cover" />}
    </span>
  );
}

/** A decorative picture in 16:9 that fills the available width. */
export function Picture({ src, animated, icon: Icon }: ThumbnailProps) {
  const { pointed: isPointed, pointing } = usePointed();
  return (
    <div
      aria-hidden="true"
      {...pointing}
      className="bg-hover text-ink-3 relative grid aspect-video place-items-center overflow-hidden"
    >
      <Icon className="size-6" strokeWidth={1.5} />
      <Image src={src} className="object-contain" />
      {isPointed && <Image src={animated} className="bg-transparent object-contain" />}
    </div>
  );
}

/** Ignores touch, which scrolls, and respects reduced motion. */
function usePointed() {
  const [isPointed, setPointed] = useState(false);
  const onPointerEnter = ({ pointerType }: PointerEvent) => {
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    setPointed(pointerType === 'mouse' && !still);
  };
  return { pointed: isPointed, pointing: { onPointerEnter, onPointerLeave: () => setPointed(false) } };
}

/** Covers the icon once loaded; a broken URL leaves the icon visible. */
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
