import type { ReactNode } from 'react';
import { MessagesOf } from '@/app/messages';
import type { Area } from '@/messages/catalogue';

/** `ui`: the buttons that copy a link. */
const areas: readonly Area[] = ['player', 'clips', 'ui'];

export default function WatchLayout({ children }: { children: ReactNode }) {
  return <MessagesOf areas={areas}>{children}</MessagesOf>;
}
