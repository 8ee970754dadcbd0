import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { RelativeTime } from '@/components/ui/relative-time';
import { RowLink } from './table';
import { Skeleton } from '@/components/ui/skeleton';
import { Thumbnail } from '@/components/ui/thumbnail';

interface NameWithThumbnailProps {
  name: string;
  /** URL of the object's page. */
  href: string;
  /** URL of its thumbnail; undefined while there is none. */
  thumbnailUrl: string | undefined;
  /** Animated preview, shown while the pointer is over the thumbnail. */
  animatedSrc?: string | undefined;
  icon: LucideIcon;
  /** Badge after the name. */
  badge?: ReactNode;
  /** Further details. */
  children?: ReactNode;
}

/** Thumbnail and name, linked to the object's page. */
export function NameWithThumbnail({
  name,
  href,
  thumbnailUrl,
  animatedSrc,
  icon,
  badge,
  children,
}: NameWithThumbnailProps) {
  return (
    <div className="flex min-w-44 items-center gap-3 sm:py-2 lg:min-w-72">
      <Thumbnail src={thumbnailUrl} animatedSrc={animatedSrc} icon={icon} />
      <div className="min-w-0">
        <span className="flex items-center gap-2">
          <RowLink href={href} className="line-clamp-2">
            {name}
          </RowLink>
          {badge}
        </span>
        {children}
      </div>
    </div>
  );
}

export const nameWithThumbnailPlaceholder = (
  <span className="flex min-w-44 items-center gap-3 lg:min-w-72">
    <Skeleton className="h-9 w-16" />
    <Skeleton className="h-4 w-40" />
  </span>
);

/** Width, placeholder and classes of a column with relative times. */
export const timeColumn = { width: 'w-36', skeleton: 'h-4 w-20', className: 'whitespace-nowrap' } as const;

/** Column with the time at which an object was created, without its heading. */
export const createdColumn = {
  ...timeColumn,
  cell: ({ createdAt }: { readonly createdAt: number }) => <RelativeTime at={createdAt} />,
} as const;
