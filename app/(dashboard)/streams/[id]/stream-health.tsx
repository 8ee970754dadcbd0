'use client';

import { HealthPanel } from '@/components/streams/health-panel';
import { useStreamHealth } from '@/lib/client/health-queries';

const REFRESH_MS = 5000;

export function StreamHealth({ id }: { id: string }) {
  return <HealthPanel health={useStreamHealth(id, REFRESH_MS).data} />;
}
