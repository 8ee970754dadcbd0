import Link from 'next/link';
import { streamStatus } from '@/components/streams/stream-status';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill } from '@/components/ui/status-pill';
import type { Stream } from '@/lib/contract/streams/stream';

/** The newest streams and how they are. */
export function RecentStreams({ streams }: { streams: readonly Stream[] }) {
  return (
    <Panel
      title="Recent streams"
      action={
        <Link
          href="/streams"
          className="text-accent-ink rounded-sm font-medium underline-offset-4 hover:underline"
        >
          All streams
        </Link>
      }
    >
      <ul className="-my-3 divide-y">
        {streams.map((stream) => {
          const status = streamStatus(stream);
          return (
            <li key={stream.id} className="flex min-h-12 items-center justify-between gap-4 py-2">
              <Link
                href={`/streams/${stream.id}`}
                className="hover:text-accent-ink min-w-0 truncate rounded-sm font-medium underline-offset-4 hover:underline"
              >
                {stream.name}
              </Link>
              <span className="flex shrink-0 items-center gap-4">
                <span className="text-ink-3 text-sm max-sm:hidden">
                  <RelativeTime at={stream.createdAt} />
                </span>
                <StatusPill tone={status.tone}>{status.label}</StatusPill>
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
