export const ALARMS = [
  'audit_chain_broken',
  'bus_topology_lost',
  'dead_letter',
  'handle_enumeration',
  'handle_leak',
  'payment_quarantined',
  'refund_refused',
  'signing_stuck',
  'signing_without_order',
  'stray_charge',
  'sweep_row_stuck',
  'verdict_differs',
] as const;

export type Alarm = (typeof ALARMS)[number];
