import type { ReactNode } from 'react';
import { MessagesOf } from '@/app/messages';
import type { Area } from '@/messages/catalogue';

const areas: readonly Area[] = ['audience', 'ui'];

export default function ReportLayout({ children }: { children: ReactNode }) {
  return <MessagesOf areas={areas}>{children}</MessagesOf>;
}
