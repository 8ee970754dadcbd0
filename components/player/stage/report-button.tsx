'use client';

import { LifeBuoy } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { copyText } from '@/components/ui/copy/copy-button';
import { playbackIdOf } from '../video/report-url';

interface ReportButtonProps {
  /** URL of the playlist. */
  src: string;
  /** Returns the reports of this view, one line each. */
  getLines: () => readonly string[];
}

type SentReport =
  | { readonly state: 'none' | 'sending' | 'failed' }
  | { readonly state: 'sent'; readonly url: string };

/** Stores a report of this view and copies its link, for a viewer who asks for help. */
export function ReportButton({ src, getLines }: ReportButtonProps) {
  const t = useTranslations('player.stats');
  const [sentReport, setSentReport] = useState<SentReport>({ state: 'none' });
  const playbackId = playbackIdOf(src);
  if (playbackId === null) return null;
  const send = async () => {
    setSentReport({ state: 'sending' });
    const url = await sendReport(playbackId, getLines());
    if (url === null) {
      setSentReport({ state: 'failed' });
      return;
    }
    setSentReport({ state: 'sent', url });
    await copyText(url);
  };
  if (sentReport.state === 'sent')
    return (
      <a
        href={sentReport.url}
        target="_blank"
        rel="noreferrer"
        className="text-sm underline underline-offset-2"
      >
        {t('reportCopied')}
      </a>
    );
  return (
    <button
      type="button"
      disabled={sentReport.state === 'sending'}
      onClick={() => void send()}
      className="inline-flex items-center gap-1.5 rounded-md px-2 py-1 text-sm font-medium hover:bg-white/15 disabled:opacity-60 pointer-coarse:h-11"
    >
      <LifeBuoy aria-hidden="true" className="size-4" />
      <span aria-live="polite">{t(sentReport.state === 'failed' ? 'reportFailed' : 'report')}</span>
    </button>
  );
}

/** URL of the stored report; null if it could not be stored. */
async function sendReport(playbackId: string, lines: readonly string[]): Promise<string | null> {
  try {
    const response = await fetch(`/api/playback/${playbackId}/report`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ lines: lines.join('\n') }),
    });
    if (!response.ok) return null;
    const { url } = (await response.json()) as { url: string };
    return url;
  } catch {
    return null;
  }
}
