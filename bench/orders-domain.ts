// Domain of the bench's signed orders.
export const BENCH_DOMAIN = { chainId: 5042002, domainName: 'openvenue' } as const
export const BENCH_ENGINE = `0x${'e1'.repeat(20)}`
