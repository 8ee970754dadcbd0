'use client';

import Link from 'next/link';
import { SessionsPanel } from '@/components/streams/sessions-panel';
import { useAssets } from '@/lib/client/asset-queries';
import type { Session } from '@/lib/contract/session';
import { useRecentSessions } from './use-recent-sessions';

export function StreamSessions({ id }: { id: string }) {
  const sessions = useRecentSessions(id);
  return (
    <SessionsPanel
      streamId={id}
      sessions={sessions.data?.items}
      assetLink={(session) => session.recordingStatus === 'ready' && <AssetLink session={session} />}
    />
  );
}

/** A recording that is ready has its asset, which stays the same. */
function AssetLink({ session: { id } }: { session: Session }) {
  const filters = JSON.stringify([{ id: 'sourceSessionId', value: id }]);
  const made = useAssets({ limit: '1', filters }, { staleTime: Infinity }).data?.items[0];
  if (!made) return null;
  return (
    <Link
      href={`/assets/${made.id}`}
      className="text-accent-ink rounded-sm underline-offset-4 hover:underline"
    >
      Asset
    </Link>
  );
}
