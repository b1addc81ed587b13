// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAccounts} from "../../src/interfaces/IAccounts.sol";
import {IOracle} from "../../src/interfaces/IOracle.sol";
import {IPerps} from "../../src/interfaces/IPerps.sol";
import {Test} from "../Vm.sol";

/// Deploys the perpetual engine as it ships, beginning with the contracts that it delegates to.
abstract contract PerpsDeploy is Test {
    function _deployPerps(IAccounts accounts, IOracle oracle, address collateral, address owner)
        internal
        returns (IPerps)
    {
        address marks = vm.deployCode(
            "out/shipped/Marks.sol/Marks.json", abi.encode(accounts, oracle, collateral)
        );
        address liquidation =
            vm.deployCode("out/shipped/Liquidation.sol/Liquidation.json", abi.encode(marks));
        address admin =
            vm.deployCode("out/shipped/PerpsAdmin.sol/PerpsAdmin.json", abi.encode(liquidation));
        return IPerps(vm.deployCode("out/shipped/Perps.sol/Perps.json", abi.encode(admin, owner)));
    }
}
