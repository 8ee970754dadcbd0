'use client';

import { useState } from 'react';
import { healthKey } from '@/components/palette/input-keys';
import { usePageKeys } from '@/components/palette/use-page-keys';
import type { Stream } from '@/lib/contract/streams/stream';

/** Element id of the panel on the page. */
export const healthPanelId = 'health';

export interface HealthDock {
  readonly open: boolean;
  readonly toggle: () => void;
}

/** Whether the health panel of a live stream is open. The first problem opens it once; a key toggles it. */
export function useHealthDock({ isActive, isHealthy }: Pick<Stream, 'isActive' | 'isHealthy'>): HealthDock {
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(false);
  if (isActive && isHealthy === false && !opened) {
    setOpened(true);
    setOpen(true);
  }
  const toggle = () => {
    setOpened(true);
    setOpen(!open);
  };
  usePageKeys((key) => {
    if (isActive && key === healthKey) toggle();
  });
  return { open, toggle };
}
