'use client';

import dynamic from 'next/dynamic';
import { Skeleton } from '@/components/ui/skeleton';

/** Loaded when the tab is opened. */
export const AudienceTab = dynamic(async () => (await import('./audience-panel')).AudiencePanel, {
  ssr: false,
  loading: () => <Skeleton className="h-96 w-full rounded-lg" />,
});
