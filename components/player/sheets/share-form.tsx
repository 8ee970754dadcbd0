'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { embedCode, watchUrl } from '../pages/share-links';
import { clock } from '../video/timeline';

export interface ShareTarget {
  /** Public URL of this service, without a trailing slash. */
  baseUrl: string;
  playbackId: string;
  title: string;
}

/** The link and the embed code, optionally with the current position as start. */
export function ShareForm({ target, video }: { target: ShareTarget; video: HTMLVideoElement | null }) {
  const t = useTranslations('player.sheet');
  const { baseUrl, playbackId, title } = target;
  // Read when the form opens, so that the link does not change while the viewer copies it.
  const [now] = useState(() =>
    video && Number.isFinite(video.duration) ? Math.floor(video.currentTime) : 0,
  );
  const [fromNow, setFromNow] = useState(false);
  const startAt = fromNow ? now : undefined;
  return (
    <div className="grid gap-4">
      <CopyField label={t('link')} value={watchUrl(baseUrl, playbackId, { startAt })} />
      {now > 0 && (
        <label className="flex min-h-8 w-fit cursor-pointer items-center gap-2.5 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={fromNow}
            onChange={(event) => setFromNow(event.target.checked)}
            className="accent-accent size-4"
          />
          {t('startAt', { at: clock(now) })}
        </label>
      )}
      <div>
        <div className="text-ink-2 mb-1.5 text-sm">{t('embedCode')}</div>
        <CodeBlock label={t('embedCode')} code={embedCode(baseUrl, playbackId, title, { startAt })} />
      </div>
    </div>
  );
}
