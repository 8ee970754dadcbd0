/** Roles in rising order: each role may do everything that the roles before it may. */
export const teamRoles = ['viewer', 'developer', 'admin', 'owner'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Fields of an endpoint definition that decide which team members may call it. */
export interface RoleAccess {
  readonly method: string;
  /** Whether only operators of the service may call the endpoint, in any team. */
  readonly operatorOnly?: true;
  /**
   * The minimum role; `person`: the endpoint concerns the caller's own account, or checks the team in its path. Absent:
   * viewers read, developers change.
   */
  readonly role?: TeamRole | 'person';
}

/** Whether a role has at least the power of another. */
export const isAtLeast = (role: TeamRole, minimum: TeamRole): boolean =>
  teamRoles.indexOf(role) >= teamRoles.indexOf(minimum);

/** The minimum role that may call an endpoint; null if the endpoint does not depend on a role. */
export function minRole({ method, operatorOnly, role }: RoleAccess): TeamRole | null {
  if (role !== undefined) return role === 'person' ? null : role;
  if (operatorOnly) return null;
  return method === 'GET' ? 'viewer' : 'developer';
}

/** Why a member with this role may not call an endpoint; null if allowed. */
export function roleRefusal(role: TeamRole, endpoint: RoleAccess): string | null {
  const minimum = minRole(endpoint);
  return minimum === null || isAtLeast(role, minimum) ? null : refusalOf(role, minimum);
}

export const refusalOf = (role: TeamRole, minimum: TeamRole): string =>
  `your role in this team is ${role}: this needs the role ${minimum}`;

interface MemberChange {
  readonly actor: TeamRole;
  /** Whether members change their own membership. */
  readonly isSelf: boolean;
  /** Role of the member before the change. */
  readonly from: TeamRole;
  /** Null: the member leaves or is removed. */
  readonly to: TeamRole | null;
  /** How many owners the team has. */
  readonly owners: number;
  /** Whether the team was created with the member's account. */
  readonly isOwnTeam: boolean;
}

export type MemberRefusal = 'needs_admin' | 'needs_owner' | 'own_team' | 'last_owner';

/** Why a membership cannot be changed; null if it can. All members may leave, and give up power. */
export function memberRefusal(change: MemberChange): MemberRefusal | null {
  const { actor, isSelf, from, to, owners, isOwnTeam } = change;
  const givesUp = isSelf && (to === null || isAtLeast(from, to));
  if (!givesUp && !isAtLeast(actor, 'admin')) return 'needs_admin';
  if (!givesUp && actor !== 'owner' && (from === 'owner' || to === 'owner')) return 'needs_owner';
  if (from !== 'owner' || to === 'owner') return null;
  if (isOwnTeam) return 'own_team';
  return owners < 2 ? 'last_owner' : null;
}
