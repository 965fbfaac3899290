export type NavLink = { href: string; label: string; current: boolean };

export type Shell = {
  workspace: string;
  workspaces: { id: string; name: string; kind: string; current: boolean }[];
  person: { email: string; short: string; role: string };
  nav: NavLink[];
  switchToken: string;
  signOutToken: string;
};

/** The parts of the Developers area, in the order of its navigation. */
const SECTIONS = [
  { href: '/developers', label: 'Keys' },
  { href: '/developers/usage', label: 'Usage' },
  { href: '/developers/orders', label: 'Orders' },
  { href: '/developers/webhooks', label: 'Webhooks' },
  { href: '/developers/members', label: 'Members' },
  { href: '/developers/terms', label: 'Terms' },
] as const;

export type Section = (typeof SECTIONS)[number]['href'];

export const navOf = (current: Section | null): NavLink[] =>
  SECTIONS.map((section) => ({ ...section, current: section.href === current }));
