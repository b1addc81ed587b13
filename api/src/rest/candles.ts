import type { Routes } from './route.ts'

export const candleRoutes: Routes = () => {}
