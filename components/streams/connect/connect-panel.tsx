'use client';

import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import type { Addresses } from '@/lib/client/queries/addresses';
import type { Stream } from '@/lib/contract/streams/stream';
import { EncoderSetup } from './encoder-setup';
import { PullSetup } from './pull-setup';
import { SrtSetup } from './srt-setup';
import { RotateKey } from './rotate-key';
import { WhipSetup } from './whip-setup';

interface ConnectPanelProps {
  stream: Stream;
  addresses: Pick<Addresses, 'rtmp' | 'rtmps' | 'srt' | 'whip'>;
  className?: string;
}

/** Instructions to send video. Collapsed while the stream is live, unless the user opened or closed them. */
export function ConnectPanel({ stream, addresses, className }: ConnectPanelProps) {
  const t = useTranslations('streams.connectPanel');
  const [choice, setChoice] = useState<boolean | null>(null);
  const open = choice ?? !stream.isActive;
  const { streamKey } = stream;
  const { srt, whip } = addresses;
  if (!streamKey) return null;
  return (
    <section
      aria-label={t('connectAnEncoder')}
      className={cn('bg-surface min-w-0 rounded-lg border', className)}
    >
      {/* The content stays mounted when collapsed: one of its dialogs may be open when the stream goes live. */}
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
        <div className="grid gap-6 px-4 pb-4 sm:px-6 sm:pb-6">
          {stream.pull && <PullSetup stream={stream} />}
          <EncoderSetup
            addresses={addresses}
            streamKey={streamKey}
            name={stream.name}
            keyAction={<RotateKey stream={stream} />}
            others={[
              ...(srt === null
                ? []
                : [
                    {
                      value: 'srt',
                      label: 'SRT',
                      content: <SrtSetup stream={stream} streamKey={streamKey} srtUrl={srt} />,
                    },
                  ]),
              ...(whip === null
                ? []
                : [
                    {
                      value: 'whip',
                      label: 'WebRTC',
                      content: <WhipSetup whipUrl={whip} streamKey={streamKey} />,
                    },
                  ]),
              ...(stream.pull
                ? []
                : [{ value: 'pull', label: t('pull'), content: <PullSetup stream={stream} /> }]),
            ]}
          />
        </div>
      </details>
    </section>
  );
}
