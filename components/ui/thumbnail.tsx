'use client';

import type { LucideIcon } from 'lucide-react';
import { type PointerEvent, useEffect, useState } from 'react';
import { cn } from './class-names';

interface ThumbnailProps {
  /** URL of the thumbnail; undefined while there is none. */
  src: string | undefined;
  /** URL of an animated preview, shown while the pointer is over the thumbnail. */
  animatedSrc?: string | undefined;
  /** Icon shown without a thumbnail. */
  icon: LucideIcon;
}

/** A small decorative image beside a name, or a placeholder of its size. */
export function Thumbnail({ src, animatedSrc, icon: Icon }: ThumbnailProps) {
  const { isHovered: isPointed, handlers } = useHover();
  return (
    <span
      aria-hidden="true"
      {...handlers}
      className="bg-hover text-ink-3 relative grid h-9 w-16 shrink-0 place-items-center overflow-hidden rounded-sm"
    >
      <Icon className="size-4" strokeWidth={1.5} />
      <Image src={src} className="object-cover" />
      {isPointed && <Image src={animatedSrc} className="bg-transparent object-cover" />}
    </span>
  );
}

/** A decorative image in 16:9 that fills the available width. */
export function WideThumbnail({ src, animatedSrc, icon: Icon }: ThumbnailProps) {
  const { isHovered: isPointed, handlers } = useHover();
  return (
    <div
      aria-hidden="true"
      {...handlers}
      className="bg-hover text-ink-3 relative grid aspect-video place-items-center overflow-hidden"
    >
      <Icon className="size-6" strokeWidth={1.5} />
      <Image src={src} className="object-contain" />
      {isPointed && <Image src={animatedSrc} className="bg-transparent object-contain" />}
    </div>
  );
}

/** Whether the mouse is over the element. Always false for touch, which scrolls, and with reduced motion. */
function useHover() {
  const [isHovered, setHovered] = useState(false);
  const onPointerEnter = ({ pointerType }: PointerEvent) => {
    const prefersReducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    setHovered(pointerType === 'mouse' && !prefersReducedMotion);
  };
  return { isHovered, handlers: { onPointerEnter, onPointerLeave: () => setHovered(false) } };
}

/** Waiting time before an image that failed is requested again, ms, as in the server's `Retry-After`. */
const RETRY_MS = 5_000;
/** Number of further requests: a frame is extracted within 15 s, and a missing image is not requested for ever. */
const MAX_RETRIES = 3;

/** Image that covers the icon once it is loaded. While it cannot be loaded, the icon stays visible. */
function Image({ src, className }: Pick<ThumbnailProps, 'src'> & { className: string }) {
  return src === undefined ? null : <LoadedImage key={src} src={src} className={className} />;
}

function LoadedImage({ src, className }: { src: string; className: string }) {
  const [hasFailed, setFailed] = useState(false);
  const [retries, setRetries] = useState(0);
  useEffect(() => {
    if (!hasFailed || retries === MAX_RETRIES) return;
    const timer = setTimeout(() => {
      setRetries(retries + 1);
      setFailed(false);
    }, RETRY_MS);
    return () => clearTimeout(timer);
  }, [hasFailed, retries]);
  if (hasFailed) return null;
  return (
    // eslint-disable-next-line @next/next/no-img-element -- the media server has already resized the image
    <img
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailed(true)}
      className={cn('absolute inset-0 size-full bg-black', className)}
    />
  );
}
