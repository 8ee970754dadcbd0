/** Roles in rising order: each role may do everything that the roles before it may. */
export const teamRoles = ['viewer', 'developer', 'admin', 'owner'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Fields of an endpoint definition that decide which team members may call it. */
export interface RoleAccess {
  readonly method: string;
  /** Whether only operators of the service may call the endpoint, in any team. */
  readonly operatorOnly?: true;
  /**
   * The minimum role. `person`: the role in the current team does not matter, because the endpoint concerns the caller's own
   * account, or checks the role in the team of its path. Absent: `viewer` for GET, `developer` for other methods.
   */
  readonly role?: TeamRole | 'person';
}

/** Whether a role may do everything that the minimum role may. */
export const isAtLeast = (role: TeamRole, minimum: TeamRole): boolean =>
  teamRoles.indexOf(role) >= teamRoles.indexOf(minimum);

/** The minimum role that may call an endpoint; null if the endpoint does not depend on a role. */
export function minRole({ method, operatorOnly, role }: RoleAccess): TeamRole | null {
  if (role !== undefined) return role === 'person' ? null : role;
  if (operatorOnly) return null;
  return method === 'GET' ? 'viewer' : 'developer';
}

/** Why a member with a role may not call an endpoint, as an error message; null if the member may. */
export function roleRejection(role: TeamRole, endpoint: RoleAccess): string | null {
  const minimum = minRole(endpoint);
  return minimum === null || isAtLeast(role, minimum) ? null : roleRejectionMessage(role, minimum);
}

export const roleRejectionMessage = (role: TeamRole, minimum: TeamRole): string =>
  `your role in this team is ${role}: this needs the role ${minimum}`;

interface MemberChange {
  readonly actor: TeamRole;
  /** Whether the actor changes the actor's own membership. */
  readonly isSelf: boolean;
  /** Role of the member before the change. */
  readonly previousRole: TeamRole;
  /** Role of the member after the change; null if the member leaves or is removed. */
  readonly newRole: TeamRole | null;
  /** Number of owners of the team. */
  readonly ownerCount: number;
  /** Whether the team was created with the member's account. */
  readonly isOwnTeam: boolean;
}

export type MemberRejection = 'needs_admin' | 'needs_owner' | 'own_team' | 'last_owner';

/**
 * Why a membership can't be changed; null if it can. Members of any role may leave or lower their own role, except the last
 * owner and the owner for whose account the team was created.
 */
export function memberRejection(change: MemberChange): MemberRejection | null {
  const { actor, isSelf, previousRole, newRole, ownerCount, isOwnTeam } = change;
  const lowersOwnRole = isSelf && (newRole === null || isAtLeast(previousRole, newRole));
  if (!lowersOwnRole && !isAtLeast(actor, 'admin')) return 'needs_admin';
  if (!lowersOwnRole && actor !== 'owner' && (previousRole === 'owner' || newRole === 'owner'))
    return 'needs_owner';
  if (previousRole !== 'owner' || newRole === 'owner') return null;
  if (isOwnTeam) return 'own_team';
  return ownerCount < 2 ? 'last_owner' : null;
}
