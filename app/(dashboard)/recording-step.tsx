'use client';

import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { Step } from '@/components/home/step';
import { recordingStep } from '@/components/home/recording-step-words';
import { Button } from '@/components/ui/button';
import { useAssets } from '@/lib/client/asset-queries';
import { useSessions } from '@/lib/client/session-queries';
import type { Stream } from '@/lib/contract/stream';

const REFRESH_MS = 3000;
const newest = { limit: '1', order: 'createdAt-true' } as const;
const recordings = { ...newest, filters: JSON.stringify([{ id: 'sourceType', value: 'recording' }]) };

/** The stream becomes a recording automatically; the user can also upload a file. */
export function RecordingStep({ number, stream }: { number: number; stream: Stream | undefined }) {
  const asset = useAssets(recordings, { refetchInterval: REFRESH_MS }).data?.items[0];
  const session = useSessions(newest, REFRESH_MS).data?.items[0];
  const { state, text } = recordingStep(stream, session, asset);
  return (
    <Step
      number={number}
      title="Keep the recording"
      state={state}
      aside={
        asset && state === 'done' ? (
          <Link
            href={`/assets/${asset.id}`}
            className="text-accent-ink inline-flex min-w-0 items-center gap-1 rounded-sm font-medium underline-offset-4 hover:underline"
          >
            <span className="truncate">Open the recording</span>
            <ArrowRight aria-hidden="true" className="size-4 shrink-0" />
          </Link>
        ) : (
          <Button asChild size="sm">
            <Link href="/assets">Upload a video</Link>
          </Button>
        )
      }
    >
      <p className="text-ink-2" aria-live="polite">
        {text}
      </p>
    </Step>
  );
}
