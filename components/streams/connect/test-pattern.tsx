'use client';

import { MonitorPlay, Square } from 'lucide-react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { useSetTestPattern, useTestPatternState } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';

interface TestPatternProps {
  stream: Pick<Stream, 'id' | 'suspended'>;
  /** It is the first thing to do. */
  primary?: boolean;
}

/** Publishes the built-in test card to the stream, or takes it off. Every browser shows the state that the server has. */
export function TestPattern({ stream: { id, suspended }, primary = false }: TestPatternProps) {
  const pattern = useTestPatternState(id);
  const { mutate, isPending } = useSetTestPattern(id);
  const running = pattern.data?.running ?? false;
  const Icon = running ? Square : MonitorPlay;
  const change = () =>
    mutate(!running, {
      onError: (error) => toast.error('Couldn’t change the test pattern', { description: error.message }),
    });
  return (
    <Button
      variant={primary && !running ? 'primary' : 'secondary'}
      pending={isPending || pattern.isPending}
      disabled={suspended}
      onClick={change}
      // As wide as its longest label: what is beside it stays in its place.
      className="min-w-46"
    >
      <Icon aria-hidden="true" />
      {running ? 'Stop test pattern' : 'Send test pattern'}
    </Button>
  );
}
