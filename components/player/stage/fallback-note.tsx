'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { FallbackReason } from '../engine/fallback';

/** How long the note is shown. */
const SHOWN_FOR_MS = 12_000;

/** Note that explains for some seconds why a stream that was requested over WebRTC plays with HLS. */
export default function FallbackNote({ reason }: { reason: FallbackReason }) {
  const t = useTranslations('player.fallback');
  const [isShown, setIsShown] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(false), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <p
      role="status"
      className="absolute top-3 right-3 max-w-[min(22rem,60%)] rounded-lg bg-black/70 px-3 py-2 text-sm text-white"
    >
      {t(reason)}
    </p>
  );
}
