'use client';

import { useState } from 'react';
import { HealthPanel } from '@/components/streams/health-panel';
import { useStreamHealth } from '@/lib/client/health-queries';
import type { Stream } from '@/lib/contract/stream';

const REFRESH_MS = 5000;
const SHOWN_MS = 600_000;

export function StreamHealth({ stream }: { stream: Stream }) {
  const { data } = useStreamHealth(stream.id, REFRESH_MS);
  const [openedAt] = useState(Date.now);
  return <HealthPanel health={data} live={stream.isActive} recent={openedAt - stream.lastSeen < SHOWN_MS} />;
}
