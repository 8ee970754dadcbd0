'use client';

import { ApiError } from '@/lib/client';
import { useStream } from '@/lib/client/queries';
import { LoadFailed } from '@/components/ui/load-failed';
import { useAddresses } from '../../_data/addresses';
import { StreamContent } from './stream-content';
import { StreamMissing } from './stream-missing';
import { StreamSkeleton } from './stream-skeleton';

const REFRESH_MS = 2000;

export function StreamView({ id }: { id: string }) {
  const stream = useStream(id, { refetchInterval: REFRESH_MS });
  const addresses = useAddresses();
  const { error } = stream;
  if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return <StreamMissing />;
  if (error && !stream.data) {
    return <LoadFailed what="The stream" error={error} onRetry={() => void stream.refetch()} />;
  }
  if (!stream.data || !addresses) return <StreamSkeleton />;
  return <StreamContent stream={stream.data} addresses={addresses} />;
}
