import type { ReactNode } from 'react';
import { MessagesOf } from '@/app/messages';
import type { Area } from '@/messages/catalogue';

/** Message areas of the embed. The buttons that copy a link need `ui`. */
const areas: readonly Area[] = ['player', 'ui'];

export default function EmbedLayout({ children }: { children: ReactNode }) {
  return <MessagesOf areas={areas}>{children}</MessagesOf>;
}
