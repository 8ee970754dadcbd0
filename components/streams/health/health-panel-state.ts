'use client';

import { useState } from 'react';
import { healthKey } from '@/components/palette/page-keys';
import { usePageKeys } from '@/components/palette/use-page-keys';
import type { Stream } from '@/lib/contract/streams/stream';

/** Id of the DOM element of the health panel. */
export const healthPanelId = 'health';

export interface HealthPanelState {
  readonly open: boolean;
  readonly toggle: () => void;
}

/**
 * Whether the health panel of a live stream is open. The first problem opens it once, unless the user has toggled
 * it.
 */
export function useHealthPanelState({
  isActive,
  isHealthy,
}: Pick<Stream, 'isActive' | 'isHealthy'>): HealthPanelState {
  const [open, setOpen] = useState(false);
  // Whether a problem no longer opens the panel, because one has opened it or the user has toggled it.
  const [isAutoOpenDisabled, setAutoOpenDisabled] = useState(false);
  if (isActive && isHealthy === false && !isAutoOpenDisabled) {
    setAutoOpenDisabled(true);
    setOpen(true);
  }
  const toggle = () => {
    setAutoOpenDisabled(true);
    setOpen(!open);
  };
  usePageKeys((key) => {
    if (isActive && key === healthKey) toggle();
  });
  return { open, toggle };
}
