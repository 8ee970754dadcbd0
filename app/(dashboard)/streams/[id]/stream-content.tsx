'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { BackLink, PageHeader } from '@/components/ui/page-header';
import { Player } from '@/components/player/player';
import { FindingsLine } from '@/components/streams/health/findings';
import { AsCodePanel } from '@/components/streams/sharing/as-code-panel';
import { EncoderTabs, readStreamCurl, readStreamNode } from '@/components/streams/connect/encoder-tabs';
import { SharePanel } from '@/components/streams/sharing/share-panel';
import { StreamFacts } from '@/components/streams/page/stream-facts';
import { streamStatus } from '@/components/streams/stream-status';
import { NameInPlace } from '@/components/ui/form/name-in-place';
import {
  StreamSettings,
  TestPatternButton,
  useTestPattern,
} from '@/components/streams/settings/stream-settings';
import { Panel } from '@/components/ui/panel';
import { StatusPill } from '@/components/ui/status-pill';
import { usePreviewUrl } from '@/lib/client/queries/stream-watch-queries';
import { useSetStreamRecord, useUpdateStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import type { Addresses } from '@/lib/client/queries/addresses';
import { DeleteStream } from '@/components/streams/settings/delete-stream';
import { RotateKey } from '@/components/streams/connect/rotate-key';
import { StreamEvents } from '@/components/streams/activity/events-panel';
import { StreamHealth } from '@/components/streams/health/health-panel';
import { StreamPulse } from '@/components/streams/page/stream-pulse';
import { StreamRenditions } from '@/components/streams/renditions/renditions-panel';
import { StreamSessions } from '@/components/streams/activity/sessions-panel';
import { StreamViewers } from '@/components/streams/viewers/stream-viewers';
import { ViewerHistory } from '@/components/streams/viewers/viewers-panel';
import { StreamTargets } from '@/components/targets/stream-targets-panel';

interface StreamContentProps {
  stream: Stream;
  addresses: Addresses;
}

export function StreamContent({ stream, addresses }: StreamContentProps) {
  const router = useRouter();
  const update = useUpdateStream(stream.id);
  const setRecord = useSetStreamRecord(stream.id);
  const [deleting, setDeleting] = useState(false);
  const status = streamStatus(stream);
  const refused = (error: Error) => toast.error('Couldn’t save the change', { description: error.message });
  const playbackUrl = addresses.playbackUrl(stream.playbackId);
  const previewUrl = usePreviewUrl(stream.id, playbackUrl);

  return (
    <>
      <BackLink href="/streams">Streams</BackLink>
      <PageHeader
        title={
          <NameInPlace
            what="stream"
            name={stream.name}
            // The page's title has the name, too.
            onRename={(name) =>
              update.mutate({ name }, { onError: refused, onSuccess: () => router.refresh() })
            }
          />
        }
        description={
          <span className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1">
            <span aria-live="polite" className="flex">
              <StatusPill tone={status.tone}>{status.label}</StatusPill>
            </span>
            <StreamViewers id={stream.id} live={stream.isActive} />
            {stream.isActive && <StreamPulse id={stream.id} />}
          </span>
        }
      />
      <FindingsLine stream={stream} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-6">
          <Player
            src={previewUrl}
            live={stream.isActive && !stream.suspended}
            poster={stream.isActive ? addresses.thumbnailUrl(stream.playbackId) : undefined}
            title={stream.name}
            waiting={waitingWords(stream)}
            className="rounded-lg border"
          />
          <StreamHealth stream={stream} />
          <ViewerHistory id={stream.id} watchUrl={`${addresses.base}/watch/${stream.playbackId}`} />
          <SendVideo stream={stream} rtmpUrl={addresses.rtmp} />
          <StreamSessions id={stream.id} />
          <SharePanel
            baseUrl={addresses.base}
            playbackId={stream.playbackId}
            playbackUrl={playbackUrl}
            title={stream.name}
          />
          <AsCodePanel
            what="stream"
            curl={readStreamCurl(addresses.base, stream.id)}
            node={readStreamNode(addresses.base, stream.id)}
            json={jsonOf(stream)}
          />
        </div>
        <div className="grid min-w-0 gap-6">
          <StreamFacts stream={stream} />
          <StreamRenditions stream={stream} />
          <StreamTargets stream={stream} />
          <StreamSettings
            name={stream.name}
            live={stream.isActive}
            record={stream.record}
            suspended={stream.suspended}
            onRecord={(record) => setRecord.mutate(record, { onError: refused })}
            onSuspend={(suspended) => update.mutate({ suspended }, { onError: refused })}
            onDelete={() => setDeleting(true)}
          />
          <StreamEvents id={stream.id} />
        </div>
      </div>
      <DeleteStream
        stream={deleting ? stream : null}
        onClose={() => setDeleting(false)}
        onDeleted={() => router.push('/streams')}
      />
    </>
  );
}

function SendVideo({ stream, rtmpUrl }: { stream: Stream; rtmpUrl: string }) {
  const pattern = useTestPattern(stream.id);
  return (
    <Panel
      title="Send video"
      description="Use any RTMP encoder with H.264 video and AAC audio."
      action={
        <TestPatternButton
          running={pattern.running}
          pending={pattern.pending}
          disabled={stream.suspended}
          onChange={pattern.change}
        />
      }
    >
      {stream.streamKey && <EncoderTabs rtmpUrl={rtmpUrl} streamKey={stream.streamKey} />}
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t pt-4">
        <p className="text-ink-2 text-sm">Key leaked?</p>
        <RotateKey stream={stream} />
      </div>
    </Panel>
  );
}

function waitingWords(stream: Stream) {
  return stream.suspended
    ? {
        title: 'Suspended',
        text: 'Publishing and playback are blocked. Turn off Suspend in Settings to resume.',
      }
    : { title: 'Waiting for video', text: 'Start your encoder or send the test pattern.' };
}

/** As the API gives it; the key stays out of sight and out of screenshots. */
function jsonOf(stream: Stream): string {
  return JSON.stringify(stream, (name, value: unknown) => (name === 'streamKey' ? '••••' : value), 2);
}
