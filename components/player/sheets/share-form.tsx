'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { embedCode, watchUrl } from '../pages/share-links';
import { formatTimecode } from '../video/timecode';

/** Stream, asset or recording that the share sheet links to. */
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
  // Position when the form was opened, so that the link does not change while the viewer copies it; 0 for a live stream.
  const [positionAtOpening] = useState(() =>
    video && Number.isFinite(video.duration) ? Math.floor(video.currentTime) : 0,
  );
  const [startsAtPosition, setStartsAtPosition] = useState(false);
  const startAt = startsAtPosition ? positionAtOpening : undefined;
  return (
    <div className="grid gap-4">
      <CopyField label={t('link')} value={watchUrl(baseUrl, playbackId, { startAt })} />
      {positionAtOpening > 0 && (
        <label className="flex min-h-8 w-fit cursor-pointer items-center gap-2.5 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={startsAtPosition}
            onChange={(event) => setStartsAtPosition(event.target.checked)}
            className="accent-accent size-4"
          />
          {t('startAt', { at: formatTimecode(positionAtOpening) })}
        </label>
      )}
      <div>
        <div className="text-ink-2 mb-1.5 text-sm">{t('embedCode')}</div>
        <CodeBlock label={t('embedCode')} code={embedCode(baseUrl, playbackId, title, { startAt })} />
      </div>
    </div>
  );
}
