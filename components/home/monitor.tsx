import { useTranslations } from 'use-intl';
import { fromFirstPart } from '@/components/player/pages/embed-options';
import { Player } from '@/components/player/player';
import { useStageBrand } from '@/lib/client/queries/brand-queries';
import { useTestPatternState } from '@/lib/client/queries/stream-queries';
import { usePreviewUrl } from '@/lib/client/queries/stream-watch-queries';
import { StreamStatus } from '@/components/streams/stream-status';
import { StatusPill } from '@/components/ui/status-pill';

interface StreamMonitorProps {
  /** Null before the first stream exists. */
  stream: {
    id: string;
    name: string;
    live: boolean;
    suspended: boolean;
    issues: readonly string[] | null;
    /** Whether the stream was live at any time. */
    everLive: boolean;
    playbackUrl: string;
    /** Picture shown until playback starts. */
    poster: string | undefined;
  } | null;
}

/** Player of the newest stream. Playback starts automatically when the stream goes live. */
export function StreamMonitor({ stream }: StreamMonitorProps) {
  const t = useTranslations('home.monitor');
  const state = stateOf(stream);
  return (
    <section aria-label={t('monitor')} className="bg-surface overflow-hidden rounded-lg border">
      {stream ? (
        <Preview stream={stream} waiting={t(`waiting.${state}`)} />
      ) : (
        <div className="grid aspect-video place-content-center bg-[#0b1013] p-6 text-center text-[#b9c4c8]">
          {t('yourVideoAppearsHere')}
        </div>
      )}
      <div className="flex min-h-14 items-center justify-between gap-4 px-4 py-3" aria-live="polite">
        <span className="min-w-0 truncate font-medium">{stream?.name ?? t('noStreamYet')}</span>
        {state === 'live' && stream ? (
          <StreamStatus stream={{ ...stream, isActive: stream.live }} />
        ) : (
          <StatusPill tone="idle">{t(`pill.${state}`)}</StatusPill>
        )}
      </div>
    </section>
  );
}

function Preview({
  stream,
  waiting: waitingTitle,
}: {
  stream: NonNullable<StreamMonitorProps['stream']>;
  waiting: string;
}) {
  const t = useTranslations('home.monitor');
  const isTestPatternRunning = useTestPatternState(stream.id).data?.running ?? false;
  const src = usePreviewUrl(stream.id, stream.playbackUrl);
  const brand = useStageBrand();
  return (
    <Player
      brand={brand}
      src={src && fromFirstPart(src)}
      live={stream.live || isTestPatternRunning}
      poster={stream.poster}
      title={stream.name}
      waiting={{ title: waitingTitle, text: t('videoWillAppear') }}
    />
  );
}

/** `off`: there is no stream. `waiting`: the stream was never live. */
function stateOf(stream: StreamMonitorProps['stream']): 'off' | 'live' | 'idle' | 'waiting' {
  if (!stream) return 'off';
  if (stream.live) return 'live';
  return stream.everLive ? 'idle' : 'waiting';
}
