'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import type { StageLogo } from '@/components/player/stage/logo';
import { PlayerMessage } from '@/components/player/stage/player-state';

const REFRESH_INTERVAL_MS = 3000;

interface UnreadyStageContentProps {
  title: string;
  /** Whether processing of the asset failed. */
  failed: boolean;
  /** Progress of processing from 0 to 1; null before it has started. */
  progress: number | null;
  logo?: StageLogo;
  fill?: boolean;
  className?: string;
}

/** Shown in place of the player until the asset can be played. Refreshes the page automatically. */
export default function UnreadyStageContent({
  title,
  failed,
  progress,
  logo,
  fill = false,
  className,
}: UnreadyStageContentProps) {
  const t = useTranslations('player.unready');
  const tPlayer = useTranslations('player.player');
  const router = useRouter();
  useEffect(() => {
    if (failed) return;
    const timer = setInterval(() => document.hidden || router.refresh(), REFRESH_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [failed, router]);
  const percent = Math.floor((progress ?? 0) * 100);
  return (
    <section
      aria-label={tPlayer('label', { title })}
      data-phase={failed ? 'failed' : 'processing'}
      className={clsx(
        'dark text-ink relative w-full overflow-hidden bg-[#0b1013]',
        fill ? 'h-dvh' : 'aspect-video',
        className,
      )}
    >
      <div role="status" className="absolute inset-0">
        {failed ? (
          <PlayerMessage title={t('failed')} text={t('failedText')} logo={logo} />
        ) : (
          <PlayerMessage
            title={progress === null ? t('waiting') : t('processing', { percent })}
            text={t('startsItself')}
            logo={logo}
          >
            {progress !== null && (
              <div aria-hidden="true" className="mt-3 h-1 w-48 overflow-hidden rounded-full bg-white/20">
                <div className="bg-accent h-full transition-[width]" style={{ width: `${percent}%` }} />
              </div>
            )}
          </PlayerMessage>
        )}
      </div>
    </section>
  );
}
