/** Returns the patch that the values of Kubernetes have below platformPaths: where the health checks of pods are. */
export function printProbePatches(prefix: string | undefined): string {
  if (prefix === undefined) {
    return ''
  }
  const probes = [
    ['startupProbe', '/livez'],
    ['readinessProbe', '/readyz'],
  ] as const
  const lines = probes.map(([probe, path]) => {
    const at = `/spec/template/spec/containers/0/${probe}/httpGet/path`
    return `      - op: replace
        path: ${at}
        value: ${prefix}${path}`
  })
  return `  # Where the health checks are: platformPaths in spec/service.yaml.
  - target: { kind: Deployment, name: api }
    patch: |-
${lines.join('\n')}
`
}

/** Returns the variables of the balancer: where the health checks of instances are. */
export function printBalancerValues(prefix: string): string {
  return `# Variables of the balancer: platformPaths in spec/service.yaml.
PLATFORM_PATHS=${prefix}
`
}
