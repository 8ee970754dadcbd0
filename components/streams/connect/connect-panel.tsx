'use client';

import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import type { Addresses } from '@/lib/client/queries/addresses';
import type { Stream } from '@/lib/contract/streams/stream';
import { EncoderSetup } from './encoder-setup';
import { SrtSetup } from './srt-setup';
import { RotateKey } from './rotate-key';

interface ConnectPanelProps {
  stream: Stream;
  addresses: Pick<Addresses, 'rtmp' | 'rtmps' | 'srt'>;
  className?: string;
}

/** How to send video. Folded while the stream is live, unless the reader opened or closed it. */
export function ConnectPanel({ stream, addresses, className }: ConnectPanelProps) {
  const t = useTranslations('streams.connectPanel');
  const [choice, setChoice] = useState<boolean | null>(null);
  const open = choice ?? !stream.isActive;
  if (!stream.streamKey) return null;
  return (
    <section
      aria-label={t('connectAnEncoder')}
      className={cn('bg-surface min-w-0 rounded-lg border', className)}
    >
      {/* Stays mounted when folded: one of its dialogs may be open when the stream goes live. */}
      <details open={open} className="group">
        <summary
          onClick={(event) => {
            event.preventDefault();
            setChoice(!open);
          }}
          className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-lg px-4 py-3 sm:px-6 sm:py-4 [&::-webkit-details-marker]:hidden"
        >
          <h2 className="text-lg font-semibold tracking-tight">{t('connectAnEncoder')}</h2>
          <ChevronDown
            aria-hidden="true"
            className="text-ink-3 size-4 shrink-0 transition-transform group-open:rotate-180"
          />
        </summary>
        <div className="px-4 pb-4 sm:px-6 sm:pb-6">
          <EncoderSetup
            addresses={addresses}
            streamKey={stream.streamKey}
            name={stream.name}
            keyAction={<RotateKey stream={stream} />}
            srt={
              addresses.srt !== null && (
                <SrtSetup stream={stream} streamKey={stream.streamKey} srtUrl={addresses.srt} />
              )
            }
          />
        </div>
      </details>
    </section>
  );
}
