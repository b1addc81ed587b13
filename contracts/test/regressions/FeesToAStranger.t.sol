// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Test} from "../Vm.sol";

/// Deploys Accounts with two wallets.
contract Deployer is Test {
    function deploy(address insurance, address fees) external returns (address) {
        return vm.deployCode(
            "out/shipped/Accounts.sol/Accounts.json", abi.encode(insurance, fees, "openvenue")
        );
    }
}

/// With one wallet for insurance and fees, account 2 and all fees went to the first account opened.
contract FeesToAStrangerTest is Test {
    function test_one_wallet_for_insurance_and_fees_is_refused() public {
        Deployer deployer = new Deployer();
        (bool done,) =
            address(deployer).call(abi.encodeCall(Deployer.deploy, (address(1), address(1))));
        vm.assertFalse(done, "whoever opens an account next takes the fees");
        (done,) = address(deployer).call(abi.encodeCall(Deployer.deploy, (address(1), address(2))));
        vm.assertTrue(done);
    }
}
