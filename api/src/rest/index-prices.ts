import type { Routes } from './route.ts'

export const indexPriceRoutes: Routes = () => {}
