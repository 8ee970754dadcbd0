'use client';

import { lazyTab } from '@/components/ui/lazy-tab';

export const audienceTab = lazyTab(async () => (await import('./audience-panel')).AudiencePanel);
