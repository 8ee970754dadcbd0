'use client';

import { MonitorPlay, Square } from 'lucide-react';
import { Button } from '@/components/ui/button';

interface TestPatternButtonProps {
  running: boolean;
  pending: boolean;
  disabled?: boolean;
  onChange: (running: boolean) => void;
}

/** Publishes the built-in test card to the stream, or takes it off. */
export function TestPatternButton({ running, pending, disabled, onChange }: TestPatternButtonProps) {
  const Icon = running ? Square : MonitorPlay;
  return (
    <Button pending={pending} disabled={disabled} onClick={() => onChange(!running)}>
      <Icon aria-hidden="true" />
      {running ? 'Stop test pattern' : 'Send test pattern'}
    </Button>
  );
}
