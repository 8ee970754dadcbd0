import { redirect } from 'next/navigation';
import { adminHref } from '@/components/admin/admin-sections';

export default function AdminPage() {
  redirect(adminHref('accounts'));
}
