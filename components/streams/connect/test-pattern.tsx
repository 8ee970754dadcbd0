'use client';

import { MonitorPlay, Square } from 'lucide-react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { useSetTestPattern, useTestPatternState } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';

interface TestPatternProps {
  stream: Pick<Stream, 'id' | 'suspended' | 'isActive'>;
  /** Show it as the primary action while it does not run. */
  primary?: boolean;
}

/** Starts and stops the built-in test pattern. The state comes from the server and is the same in every browser. */
export function TestPattern({ stream: { id, suspended, isActive }, primary = false }: TestPatternProps) {
  const t = useTranslations('streams.testPattern');
  const pattern = useTestPatternState(id);
  const { mutate, isPending } = useSetTestPattern(id);
  const running = pattern.data?.running ?? false;
  // The server would refuse it: the encoder that publishes stays.
  const occupied = isActive && !running;
  const Icon = running ? Square : MonitorPlay;
  const change = () =>
    mutate(!running, {
      onError: (error) => toast.error(t('notChanged'), { description: error.message }),
    });
  return (
    <Button
      variant={primary && !running ? 'primary' : 'secondary'}
      pending={isPending || pattern.isPending}
      disabled={suspended || occupied}
      title={occupied ? t('occupied') : undefined}
      onClick={change}
      // Both labels fit: the button next to it does not move.
      className="min-w-42 max-sm:px-3 sm:min-w-46"
    >
      <Icon aria-hidden="true" />
      {running ? t('stopTestPattern') : t('sendTestPattern')}
    </Button>
  );
}
