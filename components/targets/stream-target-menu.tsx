import { Ellipsis, Pencil, Plug, Power, Unlink } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { IfPermitted } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import type { TargetStatus } from '@/lib/contract/targets/multistream';

export interface StreamTargetProps {
  target: TargetStatus;
  /** Enables or disables the target for all streams. */
  onToggle: () => void;
  /** Removes the target from the stream. */
  onRemove: () => void;
}

interface StreamTargetMenuProps extends StreamTargetProps {
  /** Absent: the target cannot be tested now. */
  onTest?: () => void;
  /** Absent: the URL cannot be changed here. */
  onEdit?: () => void;
}

/** Menu of one target of a stream. */
export function StreamTargetMenu({ target, onTest, onEdit, onToggle, onRemove }: StreamTargetMenuProps) {
  const t = useTranslations('targets.streamTargetsPanel');
  return (
    <IfPermitted>
      <Menu
        trigger={
          <Button variant="ghost" size="icon" aria-label={t('actionsFor', { name: target.name })}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        {onTest && (
          <MenuItem icon={Plug} onSelect={onTest}>
            {t('testConnection')}
          </MenuItem>
        )}
        {onEdit && (
          <MenuItem icon={Pencil} onSelect={onEdit}>
            {t('renameOrReplaceUrl')}
          </MenuItem>
        )}
        <MenuItem icon={Power} onSelect={onToggle}>
          {target.disabled ? t('enableForAllStreams') : t('disableForAllStreams')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Unlink} onSelect={onRemove}>
          {t('removeFromThisStream')}
        </MenuItem>
      </Menu>
    </IfPermitted>
  );
}

/** What is sent to a target: "source" or "720p, without audio". */
export function useSentRendition({ profile, videoOnly }: TargetStatus): string {
  const t = useTranslations('targets.streamTargetsPanel');
  return videoOnly ? t('profileWithoutAudio', { profile }) : profile;
}
