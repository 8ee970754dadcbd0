import type { ReactNode } from 'react';
import { MessagesOf } from '@/app/messages';
import type { Area } from '@/messages/catalogue';

/** Message areas of the watch page. The buttons that copy a link need `ui`. */
const areas: readonly Area[] = ['player', 'clips', 'ui'];

export default function WatchLayout({ children }: { children: ReactNode }) {
  return <MessagesOf areas={areas}>{children}</MessagesOf>;
}
