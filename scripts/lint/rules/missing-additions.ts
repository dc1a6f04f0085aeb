/** Returns the sentences that say why a description lacks what a group of the platform's `x-common` adds. */
export function explainMissing(group: string): string {
  return `x-common.${group} of platform.yaml adds them, but not to a bundled description, which declares x-undeclared-operations and x-framing-response and does not refer to platform.yaml. Restore them in platform.yaml, or remove these two.`
}
