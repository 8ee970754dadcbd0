'use client';

import { useState } from 'react';
import { viewerSpans, type ViewerSpan } from '@/components/streams/viewer-history';
import { ViewersPanel } from '@/components/streams/viewers-panel';
import { useStreamViewers } from '@/lib/client/viewer-queries';

const REFRESH_MS = 5000;
/** Points of many minutes change slowly. */
const SLOW_REFRESH_MS = 60_000;

export function ViewerHistory({ id, watchUrl }: { id: string; watchUrl: string }) {
  const [span, setSpan] = useState<ViewerSpan>(viewerSpans[0]);
  const { data, dataUpdatedAt } = useStreamViewers(
    id,
    span.value,
    span.bucket === 1 ? REFRESH_MS : SLOW_REFRESH_MS,
  );
  return (
    <ViewersPanel audience={data} span={span} onSpan={setSpan} now={dataUpdatedAt} watchUrl={watchUrl} />
  );
}
